import { expect, test } from "bun:test";
import { exactParts, exactShare } from "../../../core/ranking/exact.ts";

test("quoted phrases and identifiers are taken to the letter", () => {
	expect(exactParts('why does "connection reset by peer" follow ERR_CONN_4012?')).toEqual(["connection reset by peer", "err_conn_4012"]);
	expect(exactParts("upgrade from v2.1.0 to getUserName in node:fs/promises")).toEqual(["v2.1.0", "getusername", "node:fs/promises"]);
	expect(exactParts("«une phrase» and “another  one”")).toEqual(["une phrase", "another one"]);
});

test("plain words, years and abbreviations are not", () => {
	for (const query of ["what happened in 1858?", "the U.S. economy, e.g. trade", "a well-known man", "Paris Berlin ROME", ""])
		expect(exactParts(query)).toEqual([]);
});

test("the share counts parts that stand alone, whatever their case and spacing", () => {
	const parts = exactParts('"reset by peer" ERR_CONN_4012');
	expect(exactShare(parts, "Connection Reset\n by peer (err_conn_4012).")).toBe(1);
	expect(exactShare(parts, "ERR_CONN_40123 and XERR_CONN_4012 are others")).toBe(0);
	expect(exactShare(parts, "peer by reset: ERR_CONN_4012")).toBe(0.5);
	expect(exactShare([], "anything")).toBe(0);
});

test("a query full of identifiers has a bound", () => {
	expect(exactParts(Array.from({ length: 100 }, (_, i) => `id_${i}`).join(" "))).toHaveLength(8);
});

test("a query without a blank is one name, of whatever length", () => {
	const [letters, name] = ["天".repeat(10_000), `天${"0".repeat(9_999)}`];
	expect([exactParts(letters), exactParts(name)]).toEqual([[], [name]]);
});
