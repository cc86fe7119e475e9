/** The word indexes that were searched lately, as many as memory allows. */

import { type WordAddress, wordAddressKey } from "./word-address.ts";
import { WordRoom, type WordRoomContext } from "./word-room.ts";

/** What all may hold together; then those that were not used longest are closed, and opened again when needed. One always stays. */
const bytesMax = 256 * 2 ** 20;
/** Each has a file mapped. */
const roomsMax = 500;

export class WordRooms {
	/** The one used last comes last. */
	readonly #rooms = new Map<string, WordRoom>();
	readonly #context: WordRoomContext;

	constructor(context: WordRoomContext) {
		this.#context = context;
	}

	room(address: WordAddress): WordRoom {
		const key = wordAddressKey(address);
		const room = this.#rooms.get(key) ?? new WordRoom(address, this.#context);
		this.#rooms.delete(key);
		this.#rooms.set(key, room);
		this.#makeRoom();
		return room;
	}

	/** A search that is under way in a room that is closed here keeps it until it ends. */
	#makeRoom(): void {
		let bytes = 0;
		for (const room of this.#rooms.values()) bytes += room.byteLength;
		for (const [key, room] of this.#rooms) {
			if ((bytes <= bytesMax && this.#rooms.size <= roomsMax) || this.#rooms.size === 1) return;
			bytes -= room.byteLength;
			this.#rooms.delete(key);
		}
	}
}
