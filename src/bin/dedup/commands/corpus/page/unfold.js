
/** Builds the marked text of a pane from its content and the list of its cuts. */
function unfold(pane) {
  const text = JSON.parse(document.getElementById(`text-${pane.dataset.text}`).textContent);
  let at = 0;
  const take = (length) => text.slice(at, (at += length)).replace(/\r\n?/g, "\n");
  for (const block of JSON.parse(pane.dataset.cuts)) {
    const into = document.createElement("div");
    into.className = "block";
    for (const [n, how, ...stretches] of block) {
      let part = into;
      if (n > 0) {
        part = document.createElement("mark");
        const begins = how & 1;
        const kind = how & 4 ? "reworded" : how & 2 ? "edited" : "exact";
        part.className = `tint-${(n + 7) % 8} ${kind}${how & 9 ? "" : " goes-on"}`;
        part.dataset.n = n;
        if (how & 8) part.dataset.how = kind === "exact" ? "word for word" : kind;
        if (begins) part.id = `${pane.id}-${n}`;
        into.append(part);
      }
      for (const stretch of stretches) {
        const [length, state, number, written] = [].concat(stretch);
        if (number) {
          const moved = document.createElement("b");
          moved.dataset.part = `${n}.${number}`;
          part.append(moved);
        }
        let inner = part;
        if (state) {
          inner = document.createElement({ 1: "u", 3: "i" }[state] ?? "s");
          if (typeof state === "string") inner.dataset.why = state;
          part.append(inner);
        }
        if (written) {
          const word = document.createElement("span");
          word.className = "disguise";
          word.title = `written ${written}`;
          inner.append(word);
          inner = word;
        }
        inner.append(take(length));
      }
    }
    pane.append(into);
  }
}
