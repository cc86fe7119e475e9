#!/usr/bin/env node
/** The command `cairn` of an installed package: the launcher with the server's program, in the folder of whoever calls it. */

import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, "--prod", "--here", fileURLToPath(new URL("../server/main.ts", import.meta.url)));
await import("./bun.mjs");
