/** The HTML around the content of every documentation page: search, menu, headings, and links to the previous and next page. */

import { escapeHtml, icon, logo } from "../console/page-parts.ts";
import type { RenderedPage } from "./render-page.ts";
import type { MenuEntry, MenuGroup } from "./site-menu.ts";
import { siteUrl } from "./site-pages.ts";

export interface SiteAssets {
	readonly script: string;
	readonly styles: string;
	/** The sections of all pages, for the search. */
	readonly sections: string;
}

/** A menu group with more pages than this is collapsed, except on its own pages. */
const expandedGroupPagesMax = 20;

export function pageShell(page: RenderedPage, menu: readonly MenuGroup[], assets: SiteAssets): string {
	const allEntries = menu.flatMap(({ entries }) => entries);
	const pageIndex = allEntries.findIndex(({ url }) => url === page.url);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} – Cairn</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${siteUrl}/assets/${assets.styles}">
<script type="module" src="${siteUrl}/assets/${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${siteUrl}">${logo}Cairn<span>documentation</span></a>
<search class="search" data-sections="${siteUrl}/assets/${assets.sections}">
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="found" hidden><p role="status"></p><ul aria-label="Pages found"></ul></div>
</search>
<nav class="elsewhere" aria-label="Server"><a class="to-menu" href="#pages">Pages</a><a href="/">Console</a><a href="/swagger">API</a></nav>
</header>
<div class="frame">
<main id="content" tabindex="-1">
<article>
${page.html}
</article>
${pageIndex < 0 ? "" : `<nav class="beside" aria-label="Before and after">${neighbour(allEntries[pageIndex - 1], "Before")}${neighbour(allEntries[pageIndex + 1], "Next")}</nav>`}
</main>
<nav id="pages" class="menu" aria-label="Pages">
${menu.map((group) => menuGroup(group, page.url)).join("\n")}
</nav>
${page.headings.length < 2 ? "" : `<nav class="outline" aria-label="On this page"><p>On this page</p>${linkList(page.headings.map(({ id, text }) => ({ title: text, url: `#${id}` })))}</nav>`}
</div>
</body>
</html>
`;
}

function menuGroup({ title, entries }: MenuGroup, currentUrl: string): string {
	const isOpen = entries.length <= expandedGroupPagesMax || entries.some(({ url }) => url === currentUrl);
	return `<details${isOpen ? " open" : ""}><summary>${escapeHtml(title)}</summary>${linkList(entries, currentUrl)}</details>`;
}

function linkList(entries: readonly MenuEntry[], currentUrl?: string): string {
	const items = entries.map(
		({ title, url }) => `<li><a href="${escapeHtml(url)}"${url === currentUrl ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a></li>`,
	);
	return `<ul>${items.join("")}</ul>`;
}

function neighbour(entry: MenuEntry | undefined, label: string): string {
	return entry === undefined ? "<span></span>" : `<a href="${escapeHtml(entry.url)}"><span>${label}</span>${escapeHtml(entry.title)}</a>`;
}
