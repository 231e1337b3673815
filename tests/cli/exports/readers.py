"""What programs of others read in our files: a JSON object on standard output.

Arguments: a folder with a.sarif, a.xml and a.csv, and the schema of SARIF.
"""

import csv
import json
import sys
from pathlib import Path

import jsonschema
from junitparser import JUnitXml
from sarif import loader

folder, schema = Path(sys.argv[1]), Path(sys.argv[2])

log = json.loads((folder / "a.sarif").read_text("utf-8"))
rules = json.loads(schema.read_text("utf-8-sig"))
checker = jsonschema.validators.validator_for(rules)
errors = [error.message for error in checker(rules).iter_errors(log)]

# A key that the schema does not know, so that a schema that knows nothing is seen.
log["runs"][0]["unknown"] = 1
is_strict = not checker(rules).is_valid(log)

records = loader.load_sarif_file(str(folder / "a.sarif")).get_records()

suites = JUnitXml.fromfile(str(folder / "a.xml"))
cases = [case for suite in suites for case in suite]

with open(folder / "a.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file, strict=True))

json.dump(
    {
        "schema": {"errors": errors, "is_strict": is_strict},
        "sarif": [[it["Severity"], it["Code"], it["Location"], it["Line"]] for it in records],
        "junit": {
            "tests": suites.tests,
            "failures": suites.failures,
            "errors": suites.errors,
            "cases": [[case.name, [it.type for it in case.result]] for case in cases],
        },
        "csv": [[row["a"], row["b"], row["verdict"], float(row["jaccard"])] for row in rows if row["b"]],
    },
    sys.stdout,
)
