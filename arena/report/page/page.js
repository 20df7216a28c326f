// Draws the charts, one after the other while nothing else is to be done, and makes the chosen bot stand out everywhere.
"use strict";
(() => {
  const { config, ...specs } = JSON.parse(document.getElementById("charts").textContent);
  const select = document.getElementById("choose");
  const said = document.getElementById("said");
  const views = [];
  let chosen = -1;

  function choose(place) {
    chosen = place;
    select.value = String(place);
    document.documentElement.dataset.chosen = String(place);
    for (const element of document.querySelectorAll("[data-bot]")) {
      const isChosen = Number(element.dataset.bot) === place;
      element.classList.toggle("chosen", isChosen);
      if (element.tagName === "OPTION") {
        element.label = (isChosen ? "● " : "") + element.text; // few browsers show an option's style
      }
    }
    for (const view of views) {
      view.signal("chosen", place).runAsync();
    }
    said.textContent = place < 0 ? "No bot highlighted" : `Highlighted: ${select.selectedOptions[0].textContent}`;
  }

  // Expressions are interpreted, not compiled, so that the page's policy need not allow eval.
  async function draw(place) {
    const options = { actions: false, renderer: "svg", ast: true, config, tooltip: { theme: "custom" } };
    const { view } = await vegaEmbed(place, specs[place.dataset.chart], options);
    place.querySelector("svg").setAttribute("aria-hidden", "true"); // its place has the words, and a table the numbers
    view.addEventListener("click", (_, item) => {
      if (item && item.datum && Number.isInteger(item.datum.bot)) {
        choose(item.datum.bot === chosen ? -1 : item.datum.bot);
      }
    });
    views.push(view);
    view.signal("chosen", chosen).runAsync();
  }

  async function drawAll() {
    const idle = window.requestIdleCallback || ((then) => setTimeout(then, 0));
    for (const place of document.querySelectorAll("[data-chart]")) {
      await new Promise((then) => idle(then, { timeout: 50 }));
      try {
        await draw(place);
      } catch (error) {
        place.textContent = "This chart could not be drawn here; the tables have its numbers.";
        console.error(place.id, error);
      }
    }
    document.documentElement.dataset.drawn = String(views.length);
  }

  function chooseTarget() {
    const target = document.getElementById(location.hash.slice(1)); // of letters, digits and dashes alone
    if (target && target.classList.contains("own")) {
      choose(Number(target.dataset.bot));
    }
  }

  select.addEventListener("change", () => choose(Number(select.value)));
  for (const button of document.querySelectorAll("[data-pick]")) {
    button.addEventListener("click", () => choose(Number(button.dataset.pick)));
  }
  window.addEventListener("hashchange", chooseTarget);
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((details) => (details.open = true));
  });
  window.addEventListener("afterprint", () => opened.forEach((details) => (details.open = false)));
  chooseTarget();
  drawAll();
})();
