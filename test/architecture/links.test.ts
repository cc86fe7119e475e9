/** Every link from a page of the documentation to a file of this repository leads somewhere. */

import { expect, test } from "bun:test";
import { exists } from "node:fs/promises";
import { posix } from "node:path";
import { rootFolder } from "../../scripts/checks.ts";
import { textOf } from "./source.ts";

const pages = ["*.md", "{docs,examples,models,test,bench,plugins}/**/*.md"]
	.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: rootFolder })])
	.map((path) => path.replaceAll("\\", "/"))
	.filter((path) => !/node_modules\/|^test\/fixtures\/.*\/|^test\/contract\/samples\/|^examples\/documents\/notes\.md$/.test(path))
	.toSorted();

interface Link {
	readonly page: string;
	readonly target: string;
}

async function linksOf(page: string): Promise<readonly Link[]> {
	const prose = (await textOf(page)).replaceAll(/```[\s\S]*?```/g, "");
	const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map((found) => found[1] ?? "");
	return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => ({ page, target }));
}

/** The anchors of a page as GitHub makes them of its headings. */
async function anchorsOf(page: string): Promise<readonly string[]> {
	const headings = [...(await textOf(page)).matchAll(/^#{1,6} +(.+)$/gm)].map((found) => found[1] ?? "");
	return headings.map((heading) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
			.trim()
			.replaceAll(" ", "-"),
	);
}

async function isBroken({ page, target }: Link): Promise<boolean> {
	const [file = "", anchor] = target.split("#");
	const path = file === "" ? page : posix.join(posix.dirname(page), decodeURIComponent(file));
	if (!(await exists(`${rootFolder}${path}`))) return true;
	return anchor !== undefined && path.endsWith(".md") && !(await anchorsOf(path)).includes(anchor);
}

test("no link is broken", async () => {
	const links = (await Promise.all(pages.map(linksOf))).flat();
	const broken: string[] = [];
	for (const link of links) if (await isBroken(link)) broken.push(`${link.page} → ${link.target}`);
	expect(broken).toEqual([]);
	expect(links.length).toBeGreaterThan(20);
});
