"""The errors that a user can meet. Whatever else is raised is a defect of dlaudit."""


class DlauditError(Exception):
    """Base of the hierarchy; `exit_code` is what the process ends with."""

    exit_code = 70


class UserError(DlauditError):
    """Something that the user handed in cannot be used.

    Args:
        what: what is wrong, in one clause.
        todo: what to do about it, in one clause.
        where: `file:line:column (pointer)` or a path, as far as known.
    """

    exit_code = 2

    def __init__(self, what: str, todo: str = "", where: str = "") -> None:
        self.what, self.todo, self.where = what, todo, where
        super().__init__((f"{where}: " if where else "") + what + (f"; {todo}" if todo else ""))


class EnvironmentRefused(DlauditError):
    """The spec requires a control that this machine does not grant."""

    exit_code = 4


class VerificationFailed(DlauditError):
    """A signature, digest or ledger does not hold."""

    exit_code = 5
