/** `bun server/site/build-site.ts FOLDER` builds the documentation site into a folder; `npm pack` and the server in a clone run it. */

import { rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pageShell, type SiteAssets } from "./page-shell.ts";
import { type RenderedPage, renderPage } from "./render-page.ts";
import { siteMenu } from "./site-menu.ts";
import { indexPath, missingFile, pageFile, pagePaths, siteUrl } from "./site-pages.ts";

const root = resolve(import.meta.dir, "../..");
const folder = Bun.argv[2];
if (folder === undefined) throw new Error("usage: build-site.ts FOLDER, the folder that the site is written to");
// Pages of an older site would otherwise be packaged too.
await rm(folder, { recursive: true, force: true });

/** The changelog and the decisions have pages and are not searched: what they say of older versions would stand before what is so now. */
const isSearched = (path: string) => path !== "CHANGELOG.md" && !path.startsWith("docs/adr/");

const paths = pagePaths(root);
const textOf = (path: string) => Bun.file(join(root, path)).text();
const pages = await Promise.all(paths.map(async (path) => renderPage(path, await textOf(path), new Set(paths))));
const menu = siteMenu(await textOf(indexPath), new Map(pages.map(({ path, title }) => [path, title])));
const assets = await writeAssets(join(folder, "assets"), pages);
await Promise.all(pages.map((page) => Bun.write(join(folder, pageFile(page.url)), pageShell(page, menu, assets))));

const html = `<h1>There is no such page</h1>\n<p>The search above finds words on all pages; <a href="${siteUrl}">the first page</a> lists them.</p>`;
const missingPage: RenderedPage = { path: "", url: "", title: "There is no such page", html, headings: [], sections: [] };
await Bun.write(join(folder, missingFile), pageShell(missingPage, menu, assets));

/** Writes the script, the styles and the search index. Their names contain a hash of the content, so that browsers may cache them. */
async function writeAssets(assetsFolder: string, renderedPages: readonly RenderedPage[]): Promise<SiteAssets> {
	const { outputs } = await Bun.build({
		entrypoints: [join(root, "console/site/main.ts")],
		outdir: assetsFolder,
		target: "browser",
		minify: true,
		naming: "[name]-[hash].[ext]",
	});
	const fileNameWith = (extension: string) => basename(outputs.find(({ path }) => path.endsWith(extension))?.path ?? "");
	const text = JSON.stringify(renderedPages.flatMap(({ path, sections }) => (isSearched(path) ? sections : [])));
	const sections = `sections-${Bun.hash(text).toString(36)}.json`;
	await Bun.write(join(assetsFolder, sections), text);
	return { script: fileNameWith(".js"), styles: fileNameWith(".css"), sections };
}
