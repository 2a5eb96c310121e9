package fleet.coordination;

import fleet.core.question.Answer;
import fleet.core.question.Question;

/** Answers questions put to one machine. */
public interface Answerer {
  /** Begins an answer; the reader takes it at its own pace. */
  Answer answer(Question question);
}
