/** The model client of a search, and to whom its cost is charged. */

import { mayAsk } from "../language/may-ask.ts";
import { openModelClient } from "../language/model-client.ts";
import type { Caller } from "../model/caller.ts";
import type { Scope } from "../model/scope.ts";
import type { Parts } from "../parts.ts";
import type { ModelClient, Step } from "../plugin/contract.ts";
import type { ModelUse } from "../settings/model-uses.ts";

/** There is no second try, because somebody waits for the results. */
const callsMax = 1;

/** The cost is charged to the key, and to the container if only one is searched. @returns null if the model must not be used. */
export async function openSearchModel(
	use: ModelUse,
	{ organisation, id }: Caller,
	{ containerTags }: Pick<Scope, "containerTags">,
	{ modelGateway: gateway, storage, world }: Pick<Parts, "modelGateway" | "storage" | "world">,
	step: Step,
): Promise<ModelClient | null> {
	// The records of the whole organisation, because the cost of a read-only key is stored as well.
	const { records } = storage.organisation(organisation);
	if (gateway === null || !(await mayAsk(use, gateway, records, world.now()))) return null;
	const [containerTag = null, another] = containerTags;
	const payer = { containerTag: another === undefined ? containerTag : null, key: id ?? null, use };
	return openModelClient({ gateway, records, organisation, payer, callsMax, world, onWait: () => undefined }, step);
}
