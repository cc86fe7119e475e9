/** The contract tests of connectors: a sound connector passes them all, and each mutant is caught by those it names. */

import { describe, test } from "bun:test";
import { catchMutants, demandMutants } from "../mutants/catch-mutants.ts";
import { connectorMutants } from "../mutants/connectors/index.ts";
import { shelfScene } from "../mutants/connectors/shelf.ts";
import { connectorContract } from "./connector-contract.ts";

const laws = connectorContract(async () => shelfScene());
const mutants = connectorMutants().map(({ name, contractTests, start }) => ({ name, breaks: contractTests, contract: () => connectorContract(start) }));

describe("a sound connector keeps", () => {
	for (const { name, check } of laws) test(name, check);
});
catchMutants(mutants);
demandMutants(laws, mutants);
