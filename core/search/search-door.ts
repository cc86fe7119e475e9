/** What a search may ask the language model, on whose account. */

import { openModelDoor } from "../language/door.ts";
import { mayAsk } from "../language/may-ask.ts";
import type { ModelUse } from "../language/uses.ts";
import type { Caller } from "../model/caller.ts";
import type { Scope } from "../model/scope.ts";
import type { Parts } from "../parts.ts";
import type { ModelDoor, Step } from "../plugin/contract.ts";

/** Who waits for results does not wait for a second try. */
const callsMax = 1;

/** Charged to the key that searches, and to the container where it searches one. @returns null where the model is not to be asked. */
export async function openSearchDoor(
	use: ModelUse,
	{ organisation, id }: Caller,
	{ containerTags }: Pick<Scope, "containerTags">,
	{ modelGate: gate, storage, world }: Pick<Parts, "modelGate" | "storage" | "world">,
	step: Step,
): Promise<ModelDoor | null> {
	// Of the whole organisation: who may only read pays as well.
	const { records } = storage.organisation(organisation);
	if (gate === null || !(await mayAsk(use, gate, records, world.now()))) return null;
	const [containerTag = null, another] = containerTags;
	const payer = { containerTag: another === undefined ? containerTag : null, key: id ?? null, use };
	return openModelDoor({ gate, records, organisation, payer, callsMax, world, onWait: () => undefined }, step);
}
