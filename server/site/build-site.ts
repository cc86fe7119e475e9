/** `bun server/site/build-site.ts FOLDER` builds the documentation site into a folder; `npm pack` and the server in a clone run it. */

import { rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pageShell, type SiteAssets } from "./page-shell.ts";
import { type RenderedPage, renderPage } from "./render-page.ts";
import { siteMenu } from "./site-menu.ts";
import { indexPath, missingFile, pageFile, pagePaths, siteUrl } from "./site-pages.ts";

const root = resolve(import.meta.dir, "../..");
const folder = Bun.argv[2];
if (folder === undefined) throw new Error("name the folder that the site is written to");
// A page of an older site would ship.
await rm(folder, { recursive: true, force: true });

const paths = pagePaths(root);
const textOf = (path: string) => Bun.file(join(root, path)).text();
const pages = await Promise.all(paths.map(async (path) => renderPage(path, await textOf(path), new Set(paths))));
const menu = siteMenu(await textOf(indexPath), new Map(pages.map(({ path, title }) => [path, title])));
const assets = await writeAssets(join(folder, "assets"), pages);
await Promise.all(pages.map((page) => Bun.write(join(folder, pageFile(page.url)), pageShell(page, menu, assets))));

const html = `<h1>There is no such page</h1>\n<p>The search above finds words on all pages; <a href="${siteUrl}">the first page</a> lists them.</p>`;
const missing: RenderedPage = { path: "", url: "", title: "There is no such page", html, headings: [], sections: [] };
await Bun.write(join(folder, missingFile), pageShell(missing, menu, assets));

/** Each name holds a hash of the content. */
async function writeAssets(into: string, all: readonly RenderedPage[]): Promise<SiteAssets> {
	const { outputs } = await Bun.build({
		entrypoints: [join(root, "console/site/main.ts")],
		outdir: into,
		target: "browser",
		minify: true,
		naming: "[name]-[hash].[ext]",
	});
	const named = (ending: string) => basename(outputs.find(({ path }) => path.endsWith(ending))?.path ?? "");
	const text = JSON.stringify(all.flatMap(({ sections }) => sections));
	const sections = `sections-${Bun.hash(text).toString(36)}.json`;
	await Bun.write(join(into, sections), text);
	return { script: named(".js"), styles: named(".css"), sections };
}
