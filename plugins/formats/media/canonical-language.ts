/** Normalises the languages that files and services declare to BCP 47: `eng` and `english` become `en`, `en-us` becomes `en-US`. */

/** The ISO 639-2/B codes, which Matroska and ID3 use, that differ from those that `Intl` knows. */
const bibliographic: Readonly<Record<string, string>> = {
	alb: "sq",
	arm: "hy",
	baq: "eu",
	bur: "my",
	chi: "zh",
	cze: "cs",
	dut: "nl",
	fre: "fr",
	geo: "ka",
	ger: "de",
	gre: "el",
	ice: "is",
	mac: "mk",
	mao: "mi",
	may: "ms",
	per: "fa",
	rum: "ro",
	slo: "sk",
	tib: "bo",
	wel: "cy",
};
const unknownCodes: ReadonlySet<string> = new Set(["und", "zxx", "mul", "mis", "xxx", "qaa"]);
let codesByName: ReadonlyMap<string, string> | null = null;

/** @returns null for `und` and for anything that is not a language. */
export function canonicalLanguage(language: string | null | undefined): string | null {
	const normalized = (language ?? "").trim().toLowerCase().replaceAll("_", "-");
	const tag = bibliographic[normalized] ?? normalized;
	if (unknownCodes.has(tag)) return null;
	if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(tag)) return loadCodesByName().get(tag) ?? null;
	try {
		return Intl.getCanonicalLocales(tag)[0] ?? null;
	} catch {
		return null;
	}
}

/** The two-letter codes of languages by their English names in lower case. Built on first use. */
function loadCodesByName(): ReadonlyMap<string, string> {
	if (codesByName !== null) return codesByName;
	const english = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
	const letters = [..."abcdefghijklmnopqrstuvwxyz"];
	const codes = letters.flatMap((first) => letters.map((second) => first + second));
	codesByName = new Map(
		codes
			.toReversed()
			.flatMap((code) => (english.of(code) === undefined ? [] : [[english.of(code)?.toLowerCase() ?? "", Intl.getCanonicalLocales(code)[0] ?? code] as const])),
	);
	return codesByName;
}
