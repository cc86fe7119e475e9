/** The rooms of an organisation as one caller may use them: the only way from a request to what is kept. */

import type { Caller } from "../model/caller.ts";
import type { OrganisationRooms, Storage } from "../ports/storage.ts";
import { readOnlyRooms } from "./read-only-rooms.ts";
import { roomsWithinReach } from "./rooms-within-reach.ts";

export function openRooms(storage: Storage, { organisation, role, reach }: Caller): OrganisationRooms {
	const all = storage.organisation(organisation);
	const within = reach === null ? all : roomsWithinReach(all, reach);
	return role === "read" ? readOnlyRooms(within) : within;
}
