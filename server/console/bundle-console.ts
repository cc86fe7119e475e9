/** `bun server/console/bundle-console.ts FOLDER` bundles the web console into a folder; `npm pack` and the server in a clone run it. */

import { rm } from "node:fs/promises";
import { resolve } from "node:path";

const folder = Bun.argv[2];
if (folder === undefined) throw new Error("name the folder that the console is written to");
// A file of an older bundle would ship.
await rm(folder, { recursive: true, force: true });
await Bun.build({
	entrypoints: [resolve(import.meta.dir, "../../console/main.tsx")],
	outdir: folder,
	target: "browser",
	minify: true,
	// React leaves its warnings out.
	define: { "process.env.NODE_ENV": '"production"' },
	naming: "[name]-[hash].[ext]",
});
