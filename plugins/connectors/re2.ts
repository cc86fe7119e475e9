/** RE2, for regular expressions of clients. Loaded on first use, as it takes 2 MB in each thread. */

import type { RE2JS } from "re2js";

export function re2(): typeof RE2JS {
	// `require`, since configurations are read synchronously.
	const module: typeof import("re2js") = require("re2js");
	return module.RE2JS;
}
