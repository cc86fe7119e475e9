/** Which files of the repository are pages of the documentation site, and the address of each. */

import { posix } from "node:path";

export const siteUrl = "/docs";
/** What a browser is shown in place of a page that is not there. */
export const missingFile = "assets/missing.html";
/** The page with all the others on it; its headings and lists are the menu of the site. */
export const indexPath = "docs/README.md";

const patterns = ["{README,ARCHITECTURE,CONTRIBUTING,CHANGELOG}.md", "docs/**/*.md", "examples/*/README.md", "models/static-en/README.md"];

/** Paths from the root of the repository, sorted. */
export function pagePaths(root: string): readonly string[] {
	const found = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]);
	return found.map((path) => path.replaceAll("\\", "/")).toSorted();
}

/** `docs/adr/0001-x.md` → `/docs/adr/0001-x`, `examples/hello-plugin/README.md` → `/docs/examples/hello-plugin`. */
export function pageUrl(path: string): string {
	if (path === indexPath) return siteUrl;
	const name = path.replace(/^docs\//, "").replace(/(?:(?<=.)\/README)?\.md$/, "");
	return `${siteUrl}/${name.toLowerCase()}`;
}

/** `/docs/adr/0001-x` → `adr/0001-x.html`: where the page lies in the built folder. */
export function pageFile(url: string): string {
	return `${url.slice(siteUrl.length + 1) || "index"}.html`;
}

/** Where a link leads that stands in a file: an address of the site, another host's, or null for a file that is no page. */
export function linkUrl(from: string, target: string, pages: ReadonlySet<string>): string | null {
	if (/^(?:[a-z]+:|#)/.test(target)) return target;
	const [file = "", anchor] = target.split("#");
	const path = posix.join(posix.dirname(from), decodeURIComponent(file)).replace(/\/$/, "");
	const page = [path, `${path}/README.md`].find((candidate) => pages.has(candidate));
	if (page !== undefined) return anchor === undefined ? pageUrl(page) : `${pageUrl(page)}#${anchor}`;
	return /^docs\/images\/[^/]+$/.test(path) ? `${siteUrl}/images/${posix.basename(path)}` : null;
}
