/** `bun server/console/bundle-console.ts FOLDER` bundles the web console into a folder; `npm pack` and the server in a clone run it. */

import { rm } from "node:fs/promises";
import { resolve } from "node:path";

/** The page is in English, so React Aria's texts in thirty other languages are left out. */
const englishOnly: Bun.BunPlugin = {
	name: "english-only",
	setup: (build) => {
		build.onLoad({ filter: /react-(?:aria|stately)[^/]*\/dist\/.*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/ }, () => ({
			contents: "export default {};",
			loader: "js",
		}));
	},
};

const folder = Bun.argv[2];
if (folder === undefined) throw new Error("name the folder that the console is written to");
// Otherwise files of an older bundle would be packaged.
await rm(folder, { recursive: true, force: true });
await Bun.build({
	entrypoints: [resolve(import.meta.dir, "../../console/main.tsx")],
	outdir: folder,
	target: "browser",
	minify: true,
	// What is imported while the console runs is loaded then, and not with the first page.
	splitting: true,
	// React's production build has no warnings.
	define: { "process.env.NODE_ENV": '"production"' },
	plugins: [englishOnly],
	naming: { entry: "[name]-[hash].[ext]", chunk: "part-[hash].[ext]", asset: "[name]-[hash].[ext]" },
});
