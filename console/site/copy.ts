/** A button at every box of code that copies it. A page that came over plain HTTP from another machine may not copy, and has none. */

const shownMs = 2_000;

export function addCopyButtons(): void {
	if (navigator.clipboard === undefined) return;
	for (const box of document.querySelectorAll<HTMLElement>(".box.code")) {
		const button = document.createElement("button");
		button.type = "button";
		button.className = "copy";
		button.textContent = "Copy";
		button.addEventListener("click", async () => {
			await navigator.clipboard.writeText(box.querySelector("code")?.textContent ?? "");
			button.textContent = "Copied";
			setTimeout(() => {
				button.textContent = "Copy";
			}, shownMs);
		});
		box.before(button);
	}
}
