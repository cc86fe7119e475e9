/** Every operation, field and status of the peer's own description is served, or docs/compatibility.md says why not; and it names whatever is added. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { factsOf, type OperationFacts } from "../../scripts/peer-description/operation-facts.ts";
import { startTestServer, type TestServer, withRouter } from "../doubles/test-server.ts";
import peer from "./peer-operations.json";

const aspects = ["query", "body", "statuses", "answered", "optional"] as const;

let server: TestServer;
let served: readonly OperationFacts[];
let documented: string;

beforeAll(async () => {
	server = await startTestServer(withRouter);
	served = factsOf(await (await (await server.client()).send("GET", "/openapi.json")).json());
	documented = await Bun.file(join(import.meta.dir, "../../docs/compatibility.md")).text();
});
afterAll(() => server.dispose());

/** The names of path parameters are nobody's business. */
function shapeOf(operation: string): string {
	return operation.replaceAll(/\{[^}]+\}/g, "{}");
}

function servedAs(operation: string): OperationFacts | undefined {
	return served.find((ours) => shapeOf(ours.operation) === shapeOf(operation));
}

/** The first cells of a table's rows, without the marks of code. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
	const section = documented.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
	return section
		.split("\n")
		.filter((line) => line.startsWith("| `"))
		.map((line) =>
			line
				.split("|")
				.slice(1, -1)
				.map((cell) => cell.trim().replaceAll("`", "")),
		);
}

test("the peer's description has the operations of its contract", () => {
	expect(peer).toHaveLength(41);
});

describe("docs/compatibility.md", () => {
	test("lists what differs, no more and no less", () => {
		const missing = peer.flatMap((theirs) => {
			const ours = servedAs(theirs.operation);
			if (ours === undefined) return [`${theirs.operation} is not served`];
			// What may be there is served where it always is, too.
			const has = { ...ours, optional: [...ours.optional, ...ours.answered] };
			return aspects.flatMap((aspect) => theirs[aspect].filter((name) => !has[aspect].includes(name)).map((name) => `${theirs.operation} ${aspect} ${name}`));
		});
		const listed = rowsUnder("Deliberate differences").map(([operation, aspect, name]) => `${operation} ${aspect} ${name}`);
		expect(listed.toSorted()).toEqual(missing.toSorted());
	});

	test("gives a reason for each", () => {
		for (const row of rowsUnder("Deliberate differences")) expect(row[3]?.length ?? 0, row.join(" ")).toBeGreaterThan(20);
	});

	test("lists what is added, no more and no less", () => {
		const theirs = new Set(peer.map(({ operation }) => shapeOf(operation)));
		const added = served.map(({ operation }) => operation).filter((operation) => !theirs.has(shapeOf(operation)));
		expect(
			rowsUnder("Additions")
				.map(([operation]) => operation)
				.toSorted(),
		).toEqual(added.toSorted());
	});
});
