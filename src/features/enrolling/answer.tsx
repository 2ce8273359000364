import { Fact } from '#ui/fact.tsx';
import { LinkedText } from '#ui/linked-text.tsx';

type AnswerProps = { of: { question: string | null; answer: string | null } };

/**
 * What someone was asked when they enrolled, and what they answered; nothing without an answer.
 * Anyone can send an answer for any address, so what looks like a link in it is none.
 */
export function Answer({ of: { question, answer } }: AnswerProps) {
  return (
    answer !== null && (
      <dl className="facts own-answer">
        <Fact term={<bdi>{question !== null && <LinkedText text={question} />}</bdi>} dir="auto">
          {answer}
        </Fact>
      </dl>
    )
  );
}
