// The chooser: the chosen answers are unfolded, the address holds the last of them, and Back folds it again.

const place = document.querySelector(".mlm-choose");
const answers = [...place.querySelectorAll("details")];
const last = () => answers.findLast((answer) => answer.open);

/** Unfold the answer in the address and those that lead to it, and fold all others. */
function showAddress() {
  const chosen = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const answer of answers) answer.open = answer.contains(chosen);
  back.hidden = !last();
}

/** Fold all answers within a folded answer, and put the last unfolded answer into the address. */
function updateAddress() {
  for (const answer of answers) answer.open &&= !answer.parentElement.closest("details:not([open])");
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
place.addEventListener("toggle", updateAddress, true);
addEventListener("popstate", showAddress);
showAddress();
