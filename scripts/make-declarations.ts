/** Writes declarations/: what TypeScript reads of an installed package in place of its sources. Run by `npm pack`. */

import { rm } from "node:fs/promises";
import { rootFolder } from "./checks.ts";

// A declaration of a file that is gone would ship.
await rm(`${rootFolder}declarations`, { recursive: true, force: true });
const compiler = Bun.spawn([process.execPath, `${rootFolder}node_modules/typescript/bin/tsc`, "-p", `${rootFolder}scripts/declarations.json`], {
	stdio: ["ignore", 2, 2],
});
process.exit(await compiler.exited);
