//! The commands: each reads its input, calls the library, and passes the answer to a renderer. They
//! do not use one another.

pub(crate) mod calibrate;
pub(crate) mod compare;
pub(crate) mod corpus;
pub(crate) mod index;
pub(crate) mod installation;
pub(crate) mod spans;
pub(crate) mod text;
