// The chooser: unfolded are the answers; the address holds them, and Back takes the last one back.

const place = document.querySelector(".mlm-choose");
const answers = [...place.querySelectorAll("details")];
const last = () => answers.findLast((one) => one.open);

/** Unfold the answers that lead to the one of the address, and fold all others. */
function follow() {
  const chosen = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const one of answers) one.open = one.contains(chosen);
  back.hidden = !last();
}

/** Fold what stands below a folded answer, and put the last answer into the address. */
function answered() {
  for (const one of answers) one.open &&= !one.parentElement.closest("details:not([open])");
  const hash = last() ? `#${last().id}` : "";
  if (hash !== location.hash) history.pushState(null, "", hash || location.pathname);
  back.hidden = !hash;
}

const back = document.createElement("button");
back.type = "button";
back.textContent = "Back";
back.addEventListener("click", () => last().querySelector("summary").focus());
back.addEventListener("click", () => (last().open = false));
place.append(back);
place.addEventListener("toggle", answered, true);
addEventListener("popstate", follow);
follow();
