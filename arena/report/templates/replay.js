// The player of told games: steps, plays, and listens to keys. All text goes in as text, never as markup.
(() => {
  "use strict";
  const SUITS = { C: ["♣", "clubs"], D: ["♦", "diamonds"], H: ["♥", "hearts"], S: ["♠", "spades"] };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack" };
  const PACE_MS = 1600;

  const element = (tag, text, className) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const chips = (n) => n.toLocaleString("en-US");
  const signed = (n) => (n > 0 ? "+" : n < 0 ? "−" : "±") + chips(Math.abs(n));

  function card(text, isThird, result) {
    if (!text) {
      const back = element("span", "?", "replay-card third hidden");
      back.setAttribute("role", "img");
      back.setAttribute("aria-label", "no third card");
      return back;
    }
    const rank = text.slice(0, -1);
    const [glyph, suit] = SUITS[text.slice(-1)];
    const isRed = suit === "diamonds" || suit === "hearts";
    const made = element("span", rank + "\n" + glyph, "replay-card" + (isRed ? " red" : "") + (isThird ? " third " + result : ""));
    made.style.whiteSpace = "pre-line";
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", (isThird ? "third card: " : "post: ") + (RANKS[rank] || rank) + " of " + suit);
    return made;
  }

  function player(root) {
    const one = (name) => root.querySelector("[data-" + name + "]");
    const games = JSON.parse(one("games").textContent);
    const button = (name) => root.querySelector('[data-go="' + name + '"]');
    let game = games[0];
    let at = 0;
    let timer = null;

    function seats(step) {
      const list = one("seats");
      list.replaceChildren();
      game.bots.forEach((bot, seat) => {
        const item = element("li");
        const place = game.places[seat]; // in the standings: the bot chosen on the page stands out here, too
        if (place !== null) {
          item.dataset.bot = place;
          item.classList.toggle("chosen", String(place) === document.documentElement.dataset.chosen);
        }
        if (seat === step.seat) item.setAttribute("aria-current", "true");
        item.append(element("b", bot));
        const net = step.chips[seat] - game.start;
        const total = element("span", chips(step.chips[seat]) + " ");
        if (step.chips[seat] === 0) total.className = "replay-out";
        item.append(total, element("span", signed(net), net > 0 ? "replay-up" : net < 0 ? "replay-down" : ""));
        if (seat === step.dealer) item.append(element("small", " · deals"));
        list.append(item);
      });
    }

    function show(to) {
      at = Math.max(0, Math.min(game.steps.length - 1, to));
      const step = game.steps[at];
      seats(step);
      one("bank").textContent = game.bank;
      one("held").textContent = chips(step.bank);
      const cards = one("cards");
      cards.replaceChildren();
      if (step.posts) cards.append(card(step.posts[0]), card(step.posts[1]));
      if (step.third || step.result === "pass") cards.append(card(step.third, true, step.result));
      const told = one("told");
      told.replaceChildren(...step.text.map((sentence) => element("p", sentence)));
      one("where").textContent = "Step " + (game.first + at + 1) + " of " + game.all;
      const range = one("range");
      range.max = game.steps.length - 1;
      range.value = at;
      range.setAttribute("aria-valuetext", "step " + (game.first + at + 1) + ", round " + step.round);
      button("first").disabled = button("back").disabled = at === 0;
      button("next").disabled = button("last").disabled = at === game.steps.length - 1;
      if (at === game.steps.length - 1) pause();
    }

    function pause() {
      clearInterval(timer);
      timer = null;
      button("play").textContent = "Play";
      button("play").setAttribute("aria-pressed", "false");
    }

    function play() {
      if (timer !== null) return pause();
      if (at === game.steps.length - 1) show(0);
      button("play").textContent = "Pause";
      button("play").setAttribute("aria-pressed", "true");
      timer = setInterval(() => show(at + 1), PACE_MS);
    }

    function choose(number) {
      pause();
      game = games[number];
      one("game").value = String(number);
      button("mistake").hidden = !game.at;
      show(game.at);
    }

    const go = {
      first: () => show(0),
      back: () => show(at - 1),
      next: () => show(at + 1),
      last: () => show(game.steps.length - 1),
      mistake: () => show(game.at),
      play,
    };
    for (const [name, act] of Object.entries(go)) {
      button(name).addEventListener("click", () => {
        if (name !== "play") pause();
        act();
      });
    }
    one("range").addEventListener("input", (event) => {
      pause();
      show(Number(event.target.value));
    });
    one("game").addEventListener("change", (event) => choose(Number(event.target.value)));
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
    one("stage").addEventListener("keydown", (event) => {
      const name = keys[event.key];
      if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      button(name).click();
    });
    const open = (hash) => {
      const match = /^#replay-(\d+)$/.exec(hash);
      if (!match || !games[Number(match[1])]) return;
      choose(Number(match[1]));
      root.scrollIntoView();
    };
    const fromAddress = () => open(location.hash);
    window.addEventListener("hashchange", fromAddress);
    document.addEventListener("click", (event) => { // the address may name this game already
      const link = event.target.closest('a[href^="#replay-"]');
      if (link) open(link.hash);
    });
    one("controls").hidden = false;
    choose(0);
    fromAddress();
  }

  document.querySelectorAll("[data-replay]").forEach(player);
})();
