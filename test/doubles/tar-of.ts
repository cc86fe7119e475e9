/** A TAR of some texts, as ustar; names that are too long for it as pax writes them. */

const block = 512;

export function tarOf(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
	const entries = Object.entries(parts).flatMap(([name, content]) => [
		...(name.length > 100 ? entryOf("pax", paxLine(name), "x") : []),
		...entryOf(name, Buffer.from(content), "0"),
	]);
	return new Uint8Array(Buffer.concat([...entries, Buffer.alloc(2 * block)]));
}

function entryOf(name: string, bytes: Buffer, kind: string): readonly Buffer[] {
	const header = Buffer.alloc(block);
	header.write(name.slice(0, 100), 0);
	header.write("0000644\0", 100);
	header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
	header.write("        ", 148);
	header.write(kind, 156);
	header.write("ustar\u000000", 257);
	const sum = header.reduce((total, byte) => total + byte, 0);
	header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
	return [header, bytes, Buffer.alloc((block - (bytes.length % block)) % block)];
}

/** Its own length, in digits, counts as well. */
function paxLine(name: string): Buffer {
	const rest = ` path=${name}\n`;
	const length = Buffer.byteLength(rest);
	const digits = String(length + String(length).length).length;
	return Buffer.from(`${length + digits}${rest}`);
}
