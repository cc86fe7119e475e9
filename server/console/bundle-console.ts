/** `bun server/console/bundle-console.ts FOLDER` bundles the web console into a folder; `npm pack` and the server in a clone run it. */

import { rm } from "node:fs/promises";
import { resolve } from "node:path";

/** The page speaks English: React Aria's words in thirty other languages stay out. */
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
// A file of an older bundle would ship.
await rm(folder, { recursive: true, force: true });
await Bun.build({
	entrypoints: [resolve(import.meta.dir, "../../console/main.tsx")],
	outdir: folder,
	target: "browser",
	minify: true,
	// What is imported while the console runs is loaded then, and not with the first page.
	splitting: true,
	// React leaves its warnings out.
	define: { "process.env.NODE_ENV": '"production"' },
	plugins: [englishOnly],
	naming: { entry: "[name]-[hash].[ext]", chunk: "part-[hash].[ext]", asset: "[name]-[hash].[ext]" },
});
