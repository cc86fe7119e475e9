#!/usr/bin/env bun
/** The program. Bun resolves all that a file imports before it runs a line of it, so what the program consists of is imported late. */

import "./boot/without-auto-install.ts";

await import("./command-line.ts");
