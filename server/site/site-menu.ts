/** The menu of the site: each heading of the index page with the pages listed below it, then all architecture decisions. */

import { indexPath, linkUrl } from "./site-pages.ts";

export interface MenuGroup {
	readonly title: string;
	readonly entries: readonly MenuEntry[];
}

export interface MenuEntry {
	readonly title: string;
	readonly url: string;
}

const decisionsFolder = "docs/adr/";

/** @param index the Markdown of the index page. @param titles the titles of all pages, by path */
export function siteMenu(index: string, titles: ReadonlyMap<string, string>): readonly MenuGroup[] {
	const pages = new Set(titles.keys());
	const entry = (title: string, path: string): MenuEntry => ({ title, url: linkUrl("", path, pages) ?? "" });
	const groups = index.split(/^## /m).slice(1);
	const indexGroups = groups.map((text) => ({
		title: text.split("\n")[0] ?? "",
		entries: [...text.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, title = "", target = ""]) => ({ title, url: linkUrl(indexPath, target, pages) ?? "" })),
	}));
	const decisionEntries = [...titles].filter(([path]) => path.startsWith(decisionsFolder)).map(([path, title]) => entry(title, path));
	return [...indexGroups.filter(({ entries }) => entries.length > 0), { title: "Decisions", entries: decisionEntries }];
}
