/** Which plugins run beside the built-in ones, and which parts are used. As it stands it says what would hold without it. */

import { defineConfig } from "cairn-memory";

export default defineConfig({
	plugins: [],
	use: { storage: "sqlite", embedder: "static" },
});
