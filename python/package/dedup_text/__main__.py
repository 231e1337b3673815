"""`python -m dedup_text`: the program."""

from dedup_text._program import main

main()
