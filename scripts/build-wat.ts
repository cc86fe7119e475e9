/** Builds WebAssembly of its readable source, beside it: `bun scripts/build-wat.ts [FILE.wat …]`, without names for all of the repository. */

import { Glob } from "bun";
import { rootFolder } from "./checks.ts";
import { readWat } from "./read-wat.ts";

const given = process.argv.slice(2);
const sources = given.length > 0 ? given : Array.from(new Glob("{core,plugins,server}/**/*.wat").scanSync(rootFolder), (name) => `${rootFolder}${name}`);
for (const source of sources) await Bun.write(source.replace(/\.wat$/, ".wasm"), await readWat(source));
