/** `strip.avif` with properties that turn and mirror it, in the place of that of its colours, so that nothing moves. */

/** @param mirror as in `imir`: 0 exchanges top and bottom, 1 left and right, null is none */
export function turnedAvif(strip: Uint8Array, quarterTurns: number, mirror: number | null): Uint8Array {
	const turned = Buffer.from(strip);
	const colours = turned.indexOf("colr") - 4;
	const sizeOfColours = turned.readUInt32BE(colours);
	const turn = box("irot", [quarterTurns]);
	const filling = mirror === null ? "free" : "imir";
	const rest = box(filling, [mirror ?? 0, ...new Uint8Array(sizeOfColours - turn.length - 9)]);
	turned.set(Buffer.concat([turn, rest]), colours);
	// The numbers of the properties of the only item: they are one more than they were.
	const numbers = turned.indexOf("ipma") + 4 + 4 + 4 + 3;
	turned.set(mirror === null ? [0x81, 0x83, 0x04, 0x05] : [0x81, 0x82, 0x83, 0x04], numbers);
	return new Uint8Array(turned);
}

function box(name: string, content: readonly number[]): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(8 + content.length);
	head.write(name, 4);
	return Buffer.concat([head, Buffer.from(content)]);
}
