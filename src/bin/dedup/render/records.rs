//! The records of clusters and of kept texts, of `dedup corpus`.

use serde::Serialize;

/// A cluster, which conforms to `dedup.corpus.schema.json`.
#[derive(Serialize)]
pub(crate) struct ClusterRecord {
    pub(crate) schema: &'static str,
    pub(crate) members: Vec<String>,
    /// The members that are only compared with, and not among the given texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier: Vec<String>,
    pub(crate) links: Vec<LinkRecord>,
}

/// A pair that links two texts of a cluster.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LinkRecord {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) verdict: &'static str,
    pub(crate) hamming: u32,
    pub(crate) jaccard: Option<f64>,
    pub(crate) containment_a: Option<f64>,
    pub(crate) containment_b: Option<f64>,
}

/// A text that is kept.
#[derive(Serialize)]
pub(crate) struct KeptRecord<'k> {
    pub(crate) path: &'k str,
}

/// The schema of a [`ClusterRecord`].
pub(crate) const CLUSTER_SCHEMA: &str = "dedup.cluster/1";
