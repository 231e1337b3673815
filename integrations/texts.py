#!/usr/bin/env python3
"""Generates texts with near-duplicates among them, deterministically: texts.py 2000 > docs.jsonl

They consist of invented words and a few real ones that determine the language. One in four is an edited copy of an
earlier text, and one in twenty has the same words; some are short, empty, or in a doubtful language. Ids are unusual
strings, and numbers that must not be reformatted.
"""
import json
import random
import sys

ENGLISH = "the of and to in that it was for with as had they from this which".split()
CATALAN = "la de i que el en un per amb les els una del és al va".split()
ODD = ['a "quoted" one', "two\nlines", "tab\t", "naïve 🦉", "{}", "", "\\", "NULL", "1e3", " 7 ", "caf\u0065\u0301"]
SYLLABLES = [head + vowel for head in "b d f g k l m n p r s t v br st".split() for vowel in "aeiou"]
NOTICE = "this work may be used for any purpose with the notice that it was made by the authors of".split()


def words(chance, small, count):
    """Returns words, one in three of them from `small`; of the others, longer ones are rarer."""
    def word():
        return "".join(chance.choices(SYLLABLES, k=chance.choice((1, 2, 2, 3, 3, 4))))
    return [chance.choice(small) if chance.random() < 0.33 else word() for _ in range(count)]


def edited(chance, earlier, small):
    """Returns a copy with up to four in ten words replaced, removed or moved."""
    rate, copy = chance.random() * 0.4, []
    for word in earlier:
        draw = chance.random()
        if draw < rate / 2:
            copy += words(chance, small, 1)
        elif draw >= rate:
            copy.append(word)
    cut = chance.randrange(len(copy) + 1)
    return copy[cut:] + copy[:cut] if chance.random() < 0.3 else copy


def text(number, chance, made):
    small = CATALAN if number % 10 == 3 else ENGLISH
    draw = chance.random()
    if number % 97 == 5:
        return words(chance, small, number % 4)
    if number % 89 == 7:
        return "barcelona kettle 22 spoons 17 owls".split()[:number % 5 + 1]
    if made and draw < 0.25:
        return edited(chance, chance.choice(made).split(), small)
    if made and draw < 0.3:
        return chance.choice(made).split()
    notice = NOTICE * 3 if chance.random() < 0.2 else []
    return notice + words(chance, small, chance.randint(40, 160))


def main(count):
    chance, made = random.Random(11), []
    for number in range(count):
        made.append(" ".join(text(number, chance, made)))
        name = ODD[number // 50] if number % 50 == 0 and number // 50 < len(ODD) else f"{number:06}"
        name = f"{number}.00" if number % 20 == 9 else json.dumps(name)
        text_and_more = json.dumps({"text": made[-1].capitalize(), "of": number % 7})
        print(f'{{"id": {name}, {text_and_more[1:]}')


if __name__ == "__main__":
    main(int(sys.argv[1]))
