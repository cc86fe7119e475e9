/** The rooms of an organisation as one caller may use them. */

import type { Caller } from "../model/caller.ts";
import type { OrganisationRooms, Storage } from "../ports/storage.ts";

export function openRooms(storage: Storage, { organisation }: Caller): OrganisationRooms {
	return storage.organisation(organisation);
}
