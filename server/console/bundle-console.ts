/** `bun server/console/bundle-console.ts FOLDER` bundles the web console into a folder; `npm pack` and the server in a clone run it. */

import { rm } from "node:fs/promises";
import { basename, resolve } from "node:path";

/** Leaves out React Aria's translations into thirty languages, since the page is in English. */
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
if (folder === undefined) throw new Error("usage: bundle-console.ts FOLDER, the folder that the console is written to");
// Files of an older bundle would otherwise be packaged too.
await rm(folder, { recursive: true, force: true });
const source = (name: string) => resolve(import.meta.dir, "../../console", name);
const toBrowsers = {
	outdir: folder,
	target: "browser",
	minify: true,
	// Selects React's production build, which omits development warnings.
	define: { "process.env.NODE_ENV": '"production"' },
} as const satisfies Partial<Bun.BuildConfig>;
// A thread of the page runs one script of its own: a part that is split from the page would load the page again.
const { outputs } = await Bun.build({ ...toBrowsers, entrypoints: [source("graph/layout-worker.ts")], naming: "[name]-[hash].[ext]" });
const layoutScript = basename(outputs[0]?.path ?? "");
await Bun.build({
	...toBrowsers,
	entrypoints: [source("main.tsx")],
	// Dynamic imports become separate files, which are loaded when needed instead of with the page.
	splitting: true,
	define: { ...toBrowsers.define, layoutScript: JSON.stringify(layoutScript) },
	plugins: [englishOnly],
	naming: { entry: "[name]-[hash].[ext]", chunk: "part-[hash].[ext]", asset: "[name]-[hash].[ext]" },
});
