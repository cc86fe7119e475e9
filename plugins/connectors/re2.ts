/** RE2, for patterns that a client writes. It is loaded with the first of them: it takes 2 MB in each thread, and most have none. */

import type { RE2JS } from "re2js";

export function re2(): typeof RE2JS {
	// Configurations are read without waiting.
	const module: typeof import("re2js") = require("re2js");
	return module.RE2JS;
}
