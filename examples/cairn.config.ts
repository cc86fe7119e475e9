/** A config with two example plugins: `CAIRN_CONFIG=examples/cairn.config.ts npm start`. */

import { defineConfig } from "cairn-memory";
import houseWords from "./hello-plugin/index.ts";
import vcard from "./vcard-extractor/index.ts";

export default defineConfig({
	plugins: [
		houseWords({ words: { "the loft": "14 Tern Lane", "the desk": "parts counter" } }),
		vcard({ birthdays: false }),
		// By name, for configs made by programs: ["cairn-plugin-extract-vcard", { birthdays: false }]
	],
	// The kinds of which there is one. These are the defaults.
	use: { storage: "sqlite", embedder: "static" },
});
