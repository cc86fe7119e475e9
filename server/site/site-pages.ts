/** Which files of the repository are pages of the documentation site, and the URL of each. */

import { posix } from "node:path";

export const siteUrl = "/docs";
/** The page that is shown if a page does not exist. */
export const missingFile = "assets/missing.html";
/** The page that lists all others; its headings and lists are the menu of the site. */
export const indexPath = "docs/README.md";

const patterns = ["{README,ARCHITECTURE,CONTRIBUTING,CHANGELOG}.md", "docs/**/*.md", "examples/*/README.md", "models/static-en/README.md"];

/** The paths of all pages, relative to the root of the repository, sorted. */
export function pagePaths(root: string): readonly string[] {
	const paths = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]);
	return paths.map((path) => path.replaceAll("\\", "/")).toSorted();
}

/** The URL of a page: `docs/adr/0001-x.md` → `/docs/adr/0001-x`, `examples/hello-plugin/README.md` → `/docs/examples/hello-plugin`. */
export function pageUrl(path: string): string {
	if (path === indexPath) return siteUrl;
	const name = path.replace(/^docs\//, "").replace(/(?:(?<=.)\/README)?\.md$/, "");
	return `${siteUrl}/${name.toLowerCase()}`;
}

/** The path of a page in the built folder: `/docs/adr/0001-x` → `adr/0001-x.html`. */
export function pageFile(url: string): string {
	return `${url.slice(siteUrl.length + 1) || "index"}.html`;
}

/** Converts a link in a file to a URL of the site. URLs of other hosts stay as they are. Null if the target has no page. */
export function linkUrl(from: string, target: string, pages: ReadonlySet<string>): string | null {
	if (/^(?:[a-z]+:|#)/.test(target)) return target;
	const [file = "", anchor] = target.split("#");
	const path = posix.join(posix.dirname(from), decodeURIComponent(file)).replace(/\/$/, "");
	const page = [path, `${path}/README.md`].find((candidate) => pages.has(candidate));
	if (page !== undefined) return anchor === undefined ? pageUrl(page) : `${pageUrl(page)}#${anchor}`;
	return /^docs\/images\/[^/]+$/.test(path) ? `${siteUrl}/images/${posix.basename(path)}` : null;
}
