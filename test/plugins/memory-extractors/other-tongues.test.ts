import { expect, test } from "bun:test";
import sentences from "../../../plugins/memory-extractors/sentences/index.ts";
import { chunkOf, documentId } from "../../contract/samples-text.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

async function remember(text: string) {
	const document = { id: documentId, containerTags: ["t"], metadata: {}, createdAt: new Date("2026-05-13T12:00:00Z"), title: null };
	return (await partOf(sentences(), "memoryExtractor")).extract({ document, chunks: [chunkOf(text)], entityContext: null }, createStep());
}

test.each([
	["Anna: Ich wohne in Gent.", "Anna: Ich wohne in Gent."],
	["Nutzer: Seit Mai arbeite ich bei der Post.", "User: Seit Mai arbeite ich bei der Post."],
	["Moi: J'habite à Nantes.", "User: J'habite à Nantes."],
	["Usuario: No como carne.", "User: No como carne."],
	["Utente: Mio fratello si chiama Dario.", "User: Mio fratello si chiama Dario."],
	["Gebruiker: Ik heb twee katten.", "User: Ik heb twee katten."],
	["Usuário: Sou professor de história.", "User: Sou professor de história."],
	["用户：我有两只猫。", "User: 我有两只猫。"],
	["ユーザー：私の妹は医者です。", "User: 私の妹は医者です。"],
])("what somebody says of themself stays as it stands: %s", async (text, wanted) => {
	const drafts = await remember(`${text}\nBo: I sail.\nBo: I sing.`);
	expect(drafts.map((draft) => draft.text)).toContain(wanted);
	expect(drafts.find((draft) => draft.text === wanted)).toMatchObject({ confidence: 0.5, isStatic: false, subject: wanted.split(":")[0]?.toLowerCase() ?? "" });
});

test.each([
	"Nutzer: Ich glaube schon, danke.",
	"Nutzer: Kannst du mir bei meinem Brief helfen?",
	"Nutzer: Ich danke dir für deine Hilfe.",
	"Nutzer: Das Wetter ist heute schön.",
	"Moi: Je ne comprends pas.\nMoi: Moi aussi, merci.",
	"Usuario: Tengo una pregunta.",
	"Gebruiker: Dank je wel!",
	"用户：请帮我写一首诗。",
	"Assistant: Ich wohne in Gent.",
	"Ich wohne in Gent. Meine Schwester wohnt in Brügge.",
])("nothing of the speaker, or nobody who speaks: %s", async (text) => {
	expect(await remember(text)).toEqual([]);
});
