"""`python -m dedup_text`: the program."""

from dedup_text._program import main

if __name__ == "__main__":
    main()
