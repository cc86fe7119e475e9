#!/usr/bin/env bun
/** Entry of the program. Everything else is imported dynamically, since Bun resolves static imports before the first line runs. */

import "./boot/without-auto-install.ts";

await import("./command-line.ts");
