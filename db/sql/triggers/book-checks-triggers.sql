-- A check of the books is of now, and stays as long as jobs/schedule.ts says.
CREATE TRIGGER book_checks_are_new BEFORE INSERT ON book_checks FOR EACH ROW
  WHEN (writes_directly() AND NEW.checked_at NOT BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp())
  EXECUTE FUNCTION deny_start();

CREATE TRIGGER book_checks_stay BEFORE DELETE ON book_checks FOR EACH ROW
  WHEN (writes_directly() AND OLD.checked_at >= clock_timestamp()
    - CASE WHEN OLD.differences_count = 0 THEN interval '7 days' ELSE interval '90 days' END)
  EXECUTE FUNCTION deny_transition();
