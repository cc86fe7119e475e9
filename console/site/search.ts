/** The search of the documentation site: the sections of all pages are fetched when the field is first used, and searched in the page. */

import MiniSearch from "minisearch";
import { excerpt } from "./excerpt.ts";

interface Section {
	readonly url: string;
	readonly page: string;
	readonly heading: string;
	readonly text: string;
}

type Find = (query: string) => readonly { readonly section: Section; readonly words: readonly string[] }[];

const hitsMax = 12;
/** What stands in a heading says what a section is about. */
const weights = { heading: 4, page: 2, text: 1 };

export function addSearch(): void {
	const place = document.querySelector<HTMLElement>(".search");
	const input = place?.querySelector("input");
	if (place === null || input === null || input === undefined) return;
	let finding: Promise<Find> | null = null;
	const load = () => {
		finding ??= loadSections(place.dataset["sections"] ?? "");
		return finding;
	};
	input.addEventListener("focus", () => void load());
	input.addEventListener("input", async () => {
		const find = await load();
		show(place, find(input.value), input.value);
	});
	moveByKeys(place, input);
}

async function loadSections(address: string): Promise<Find> {
	const sections = (await (await fetch(address)).json()) as readonly Section[];
	const index = new MiniSearch<Section & { readonly id: number }>({ fields: ["heading", "page", "text"] });
	index.addAll(sections.map((section, id) => ({ ...section, id })));
	return (query) => {
		const search = (combineWith: "AND" | "OR") => index.search(query, { combineWith, boost: weights, prefix: true, fuzzy: 0.2 });
		const all = search("AND");
		const hits = (all.length > 0 ? all : search("OR")).slice(0, hitsMax);
		return hits.flatMap(({ id, terms }) => (sections[id] === undefined ? [] : { section: sections[id], words: terms }));
	};
}

function show(place: HTMLElement, hits: ReturnType<Find>, query: string): void {
	const found = place.querySelector<HTMLElement>(".found");
	const status = found?.querySelector("p");
	if (found === null || status === null || status === undefined) return;
	found.hidden = query.trim() === "";
	status.textContent =
		hits.length === 0
			? "No page has these words. The changelog and the decisions are not searched."
			: `${hits.length} ${hits.length === 1 ? "section" : "sections"}`;
	found.querySelector("ul")?.replaceChildren(...hits.map(({ section, words }) => item(section, words)));
}

function item({ url, page, heading, text }: Section, words: readonly string[]): HTMLElement {
	const link = document.createElement("a");
	link.href = url;
	const title = document.createElement("strong");
	title.textContent = heading;
	const from = document.createElement("span");
	from.textContent = heading === page ? "" : page;
	const passage = document.createElement("span");
	passage.className = "passage";
	passage.append(...excerpt(text, words).map(({ text: part, isFound }) => marked(part, isFound)));
	link.append(title, " ", from, passage);
	const row = document.createElement("li");
	row.append(link);
	return row;
}

function marked(text: string, isFound: boolean): Node {
	if (!isFound) return document.createTextNode(text);
	const mark = document.createElement("mark");
	mark.textContent = text;
	return mark;
}

/** `/` goes to the field, arrows through the hits, Enter to the first of them, and Escape closes the list. */
function moveByKeys(place: HTMLElement, input: HTMLInputElement): void {
	const found = place.querySelector<HTMLElement>(".found");
	const close = () => {
		if (found !== null) found.hidden = true;
	};
	document.addEventListener("keydown", (event) => {
		const isTyping = event.target instanceof HTMLInputElement;
		if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		input.focus();
	});
	place.addEventListener("keydown", (event) => {
		const stops: (Element | null)[] = [input, ...place.querySelectorAll<HTMLAnchorElement>(".found:not([hidden]) a")];
		const at = stops.indexOf(document.activeElement);
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (step !== undefined) {
			event.preventDefault();
			(stops[(at + step + stops.length) % stops.length] as HTMLElement).focus();
		} else if (event.key === "Enter" && at === 0) {
			(stops[1] as HTMLElement | undefined)?.click();
		} else if (event.key === "Escape") {
			// A browser would empty the field.
			event.preventDefault();
			close();
			input.focus();
		}
	});
	document.addEventListener("click", (event) => {
		const isLink = event.target instanceof Element && event.target.closest(".found a") !== null;
		if (isLink || !place.contains(event.target as Node)) close();
	});
}
