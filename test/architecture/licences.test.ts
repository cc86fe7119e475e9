/** docs/licences.md names every package that ships, with the licence the package itself states. */

import { expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { textOf } from "./source.ts";

const shipped = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)].toSorted();

test("every package that ships is listed, and no other", async () => {
	const listed = [...(await textOf("docs/licences.md")).matchAll(/^\| `([^`]+)` \|/gm)].map((found) => found[1] ?? "");
	expect(listed).toEqual(shipped);
});

test("the licence stands as the package states it", async () => {
	const page = await textOf("docs/licences.md");
	for (const name of Object.keys(manifest.dependencies)) {
		const { license } = (await Bun.file(`node_modules/${name}/package.json`).json()) as { license?: string };
		expect(page).toContain(`| \`${name}\` | ${license} |`);
	}
});

test("the notice of libarchive, which its package leaves out, is handed on", async () => {
	expect(await textOf("docs/licences.md")).toMatch(/Tim Kientzle.*Redistributions in binary form.*AS IS/s);
});

test("ours is the full text of the licence that package.json names", async () => {
	const text = await textOf("LICENSE");
	expect(manifest.license).toBe("AGPL-3.0-or-later");
	expect(text).toContain("GNU AFFERO GENERAL PUBLIC LICENSE");
	expect(text).toContain("END OF TERMS AND CONDITIONS");
});
