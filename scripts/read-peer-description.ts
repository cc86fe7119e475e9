/**
 * Draws the facts out of the peer's own OpenAPI description: which operations, fields and statuses there are. Its words stay
 * where they are. `bun scripts/read-peer-description.ts FILE.yaml > test/clients/peer-operations.json`
 */

import { parse } from "yaml";
import { factsOf } from "./peer-description/operation-facts.ts";

const [file] = process.argv.slice(2);
if (file === undefined) {
	console.error("which file? bun scripts/read-peer-description.ts FILE.yaml");
	process.exit(2);
}
console.log(JSON.stringify(factsOf(parse(await Bun.file(file).text())), null, "\t"));
