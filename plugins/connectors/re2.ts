/** RE2, for regular expressions that clients send. It is loaded on first use, because it takes 2 MB in each thread. */

import type { RE2JS } from "re2js";

export function re2(): typeof RE2JS {
	// `require` instead of `import()`, because configurations are read synchronously.
	const module: typeof import("re2js") = require("re2js");
	return module.RE2JS;
}
