/** The model client of a search, and who pays for it. */

import { mayAsk } from "../language/may-ask.ts";
import { openModelClient } from "../language/model-client.ts";
import type { Caller } from "../model/caller.ts";
import type { Scope } from "../model/scope.ts";
import type { Parts } from "../parts.ts";
import type { ModelClient, Step } from "../plugin/contract.ts";
import type { ModelUse } from "../settings/model-uses.ts";

/** Who waits for results does not wait for a second try. */
const callsMax = 1;

/** Charged to the key that searches, and to the container where it searches one. @returns null where the model is not to be asked. */
export async function openSearchModel(
	use: ModelUse,
	{ organisation, id }: Caller,
	{ containerTags }: Pick<Scope, "containerTags">,
	{ modelGateway: gateway, storage, world }: Pick<Parts, "modelGateway" | "storage" | "world">,
	step: Step,
): Promise<ModelClient | null> {
	// Of the whole organisation: who may only read pays as well.
	const { records } = storage.organisation(organisation);
	if (gateway === null || !(await mayAsk(use, gateway, records, world.now()))) return null;
	const [containerTag = null, another] = containerTags;
	const payer = { containerTag: another === undefined ? containerTag : null, key: id ?? null, use };
	return openModelClient({ gateway, records, organisation, payer, callsMax, world, onWait: () => undefined }, step);
}
