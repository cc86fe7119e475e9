/**
 * What somebody says of themself in a language whose grammar is not read here: kept as it stands, under their name. The
 * words for `I` and `my`, or first-person verbs where `I` is left out, say that it is about them.
 */

import { languages, languagesOf } from "cairn-memory";

interface Tongue {
	readonly code: string;
	/** The speaker as the one who is, has or does something, or as an owner. */
	readonly own: RegExp;
	/** Thoughts about the talk, thanks, wishes and requests in the first person. */
	readonly idle: RegExp;
	/** The other one. */
	readonly other: RegExp;
}

const tongues: readonly Tongue[] = [
	{
		code: "de",
		own: /(?<!\p{L})(?:ich|wir|meine?[mnrs]?|unsere?[mnrs]?)(?!\p{L})/iu,
		idle: /(?<!\p{L})(?:ich (?:auch|denke|dachte|glaube|finde|meine|weiß|hoffe|frage|verstehe|danke|freue|wünsche|sehe|würde|hätte|möchte|brauche|muss los|melde|sag|stimme)|(?:denke|glaube|hoffe|finde|weiß|danke|freue|melde) ich|meine(?:r)? (?:meinung|frage|schuld|güte)|wir (?:sehen uns|sollten|können|könnten))(?!\p{L})/iu,
		other: /(?<!\p{L})(?:du|dir|dich|deine?[mnrs]?|ihr|euch|eure?[mnrs]?|ihnen|bitte)(?!\p{L})/iu,
	},
	{
		code: "nl",
		own: /(?<!\p{L})(?:ik|wij|mijn|onze?)(?!\p{L})/iu,
		idle: /(?<!\p{L})(?:ik (?:ook|denk|dacht|geloof|vind|weet|hoop|begrijp|bedoel|snap|zou|wil (?:graag )?weten|zie|moet gaan)|(?:denk|hoop|geloof|vind|weet) ik|mijn (?:mening|vraag|fout)|wij (?:kunnen|moeten|zien))(?!\p{L})/iu,
		other: /(?<!\p{L})(?:jij|je|jou|jouw|u|uw|jullie|alsjeblieft|alstublieft)(?!\p{L})/iu,
	},
	{
		code: "fr",
		own: /(?<!\p{L})(?:je|j['’]|nous|mon|ma|mes|notre|nos)(?:(?!\p{L})|(?<=['’]))/iu,
		idle: /(?<!\p{L})(?:je (?:ne |n['’])?(?:pense|crois|sais|comprends|vois|espère|suppose|me demande|te|vous|dois y|voudrais|suis (?:d['’]accord|désolée?|sûre?|contente? pour))|j['’](?:espère|imagine|avoue|arrive)|moi aussi|mon avis|ma (?:question|faute)|nous (?:pouvons|pourrions|devrions))(?!\p{L})/iu,
		other: /(?<!\p{L})(?:tu|te|toi|ton|ta|tes|vous|votre|vos|s['’]il)(?!\p{L})/iu,
	},
	{
		code: "es",
		own: /(?<!\p{L})(?:yo|mis?|nuestr[oa]s?|soy|tengo|vivo|trabajo|estudio|hablo|como|bebo|toco|juego|prefiero|odio|nací|crecí|compré|vendí|fui|dejé|conduzco|colecciono|cocino|corro|enseño|crío|me (?:gustan?|encantan?|llamo|mudé|casé|jubilé|duele)|estoy (?:casad[oa]|embarazada|jubilad[oa]|aprendiendo|trabajando|estudiando)|tenemos|vivimos|somos)(?!\p{L})/iu,
		idle: /(?<!\p{L})(?:yo (?:también|tampoco|creo|pienso)|mi (?:opinión|pregunta|culpa)|tengo (?:que irme|una (?:pregunta|duda|idea)|razón)|me (?:alegro|gustaría saber)|(?:así )?como (?:dije|siempre)|no lo)(?!\p{L})/iu,
		other: /(?<!\p{L})(?:tú|te|ti|tus?|usted(?:es)?|vosotros|por favor)(?!\p{L})/iu,
	},
	{
		code: "it",
		own: /(?<!\p{L})(?:io|mi[oae]|miei|nostr[oaie]|sono|ho|vivo|abito|lavoro|studio|parlo|mangio|bevo|suono|gioco|preferisco|odio|amo|guido|colleziono|cucino|corro|insegno|mi (?:piacciono|piace|chiamo)|abbiamo|viviamo|siamo)(?!\p{L})/iu,
		idle: /(?<!\p{L})(?:anch['’]io|io (?:credo|penso)|mi[oa] (?:opinione|domanda|colpa)|sono (?:d['’]accord[oi]|content[oa] per|sicur[oa]|felice per)|ho (?:capito|ragione|una (?:domanda|idea)))(?!\p{L})/iu,
		other: /(?<!\p{L})(?:tu|ti|te|tu[oae]|tuoi|lei|voi|vostr[oaie]|vi|per favore)(?!\p{L})/iu,
	},
	{
		code: "pt",
		own: /(?<!\p{L})(?:eu|meus?|minhas?|noss[oa]s?|sou|tenho|moro|vivo|trabalho|estudo|falo|como|bebo|toco|jogo|prefiro|odeio|adoro|amo|gosto|nasci|cresci|comprei|vendi|fui|mudei|casei|coleciono|cozinho|corro|ensino|me chamo|temos|moramos|somos|estou (?:grávida|casad[oa]|aprendendo|trabalhando|estudando))(?!\p{L})/iu,
		idle: /(?<!\p{L})(?:eu (?:não )?(?:também|acho|penso|espero|sei|entendo|concordo)|minha (?:opinião|pergunta|culpa)|tenho (?:que ir|uma (?:pergunta|dúvida|ideia)|razão|certeza))(?!\p{L})/iu,
		other: /(?<!\p{L})(?:tu|te|ti|teus?|tuas?|vocês?|seus?|suas?|por favor)(?!\p{L})/iu,
	},
	{ code: "zh", own: /我/u, idle: /我(?:也是|觉得|想知道|认为|希望|知道|不知道|明白|同意|猜|建议|理解|想问|需要你|来了|走了)/u, other: /[你您请]/u },
	{
		code: "ja",
		own: /(?:私|僕|俺|わたし|ぼく)(?:たち)?[はもがの]/u,
		idle: /(?:思います|思う|分かりました|わかりました|そうです)/u,
		other: /あなた|ください|ましょう/u,
	},
];
/** They stand in no sentence of these languages, and in most of English. */
const english = /\b(?:the|and|my|you|are|this|with|have|that|i['’]m)\b/i;
const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const wordsMin = 3;
const charactersMin = 5;
const charactersMax = 300;
const smallOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(languages.map(({ code, small }) => [code, new Set(small)]));

/** The sentence as it stands, without what greets or agrees before it; null when it is no statement about the speaker, or English. */
export function inOtherTongue(sentence: string): string | null {
	const text = sentence.trim();
	if (text.length > charactersMax || /[?？¿]/.test(text) || english.test(text)) return null;
	const isHan = han.test(text);
	const candidates = tongues.filter(({ code, own }) => (code === "zh" || code === "ja") === isHan && own.test(text));
	if (candidates.length === 0) return null;
	const told = new Set(isHan ? [] : languagesOf(text).map(({ code }) => code));
	const tongue = told.size === 0 ? candidates[0] : candidates.find(({ code }) => told.has(code));
	if (tongue === undefined || tongue.idle.test(text) || tongue.other.test(text)) return null;
	return isHan ? (text.length >= charactersMin ? text : null) : tells(text, tongue) ? text : null;
}

/** It has a word beside the small ones and the one that says whose it is. */
function tells(text: string, { code, own }: Tongue): boolean {
	const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	const small = smallOf.get(code);
	return words.length >= wordsMin && words.some((word) => word.length > 2 && small?.has(word) !== true && !own.test(word));
}
